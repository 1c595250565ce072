/* Result types, a kernel that is looked up once, strides, broadcasting, a result in place, a reduction, a cast,
 * and an error with its reason, in C99. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "promote.h"

/* Ends the program with the library's message if a function failed. */
static void check(PromoteStatus status) {
    if (status != PROMOTE_STATUS_OK) {
        fprintf(stderr, "%s\n", promote_last_error_message());
        exit(1);
    }
}

static void print(const char *what, const float *values, size_t count) {
    printf("%s:", what);
    for (size_t i = 0; i < count; i++) {
        printf(" %g", values[i]);
    }
    printf("\n");
}

int main(void) {
    check(promote_check_api(PROMOTE_API_MAJOR, PROMOTE_API_MINOR));
    const PromoteRules *torch, *numpy;
    check(promote_rules_find("torch", &torch));
    check(promote_rules_find("numpy", &numpy));

    /* Which dtype does an array of i32 times 2.5 have? */
    const PromoteOperand array_and_number[] = {promote_array_of(PROMOTE_DTYPE_I32), promote_float(2.5)};
    PromoteOpTypes by_torch, by_numpy;
    check(promote_op_types(torch, PROMOTE_OP_MULTIPLY, array_and_number, 2, &by_torch));
    check(promote_op_types(numpy, PROMOTE_OP_MULTIPLY, array_and_number, 2, &by_numpy));
    printf("i32 * 2.5: %s under PyTorch, %s under NumPy\n", promote_dtype_name(by_torch.output),
           promote_dtype_name(by_numpy.output));

    /* A pair that is refused, with the reason. */
    const PromoteOperand unsigned_and_signed[] = {promote_array_of(PROMOTE_DTYPE_U16),
                                                  promote_array_of(PROMOTE_DTYPE_I32)};
    PromoteResultType result;
    if (promote_result_type(torch, unsigned_and_signed, 2, &result) == PROMOTE_STATUS_REFUSED) {
        printf("refused: %s\n", promote_last_error_message());
    }

    /* A kernel that is held: looked up once, called for each block of a stream. */
    const PromoteDType dtypes[] = {PROMOTE_DTYPE_I8, PROMOTE_DTYPE_F32};
    PromoteKernel *multiply;
    check(promote_kernel_new(torch, PROMOTE_OP_MULTIPLY, dtypes, 2, &multiply));
    const float gain[3] = {0.5F, 0.25F, 2.0F};
    float block[3];
    for (int8_t first = 1; first < 6; first += 3) {
        const int8_t samples[3] = {first, (int8_t)(first + 1), (int8_t)(first + 2)};
        const void *inputs[] = {samples, gain};
        check(promote_kernel_call(multiply, inputs, 2, 3, block));
        print("block", block, 3);
    }

    /* The kernel on a transposed matrix and a row that is broadcast: strides are in bytes. */
    const int8_t matrix[3][2] = {{1, 4}, {2, 5}, {3, 6}};
    const size_t shape[] = {2, 3};
    const ptrdiff_t transposed[] = {1, 2};
    const PromoteOperand operands[] = {promote_array(PROMOTE_DTYPE_I8, matrix, 2, shape, transposed),
                                       promote_array(PROMOTE_DTYPE_F32, gain, 1, &shape[1], NULL)};
    size_t found[2], rank;
    check(promote_broadcast_shape(operands, 2, found, 2, &rank));
    printf("shape: %zu axes, %zu by %zu\n", rank, found[0], found[1]);
    float product[2][3];
    const PromoteOutput out = promote_output(PROMOTE_DTYPE_F32, product, rank, found, NULL);
    check(promote_kernel_call_arrays(multiply, operands, 2, &out));
    print("product", product[0], 6);
    promote_kernel_free(multiply);

    /* In place, then the sums of the columns. */
    const PromoteOperand one = promote_int(1);
    check(promote_call_in_place(torch, PROMOTE_OP_ADD, &out, &one, 1));
    const PromoteOperand whole = promote_array(PROMOTE_DTYPE_F32, product, 2, shape, NULL);
    const ptrdiff_t axis = 0;
    float sums[3];
    const PromoteOutput columns = promote_output(PROMOTE_DTYPE_F32, sums, 1, &shape[1], NULL);
    check(promote_reduce(torch, PROMOTE_OP_SUM, &whole, &axis, 1, &columns));
    print("sums of columns", sums, 3);

    /* PyTorch does not store floats as integers, unless they are cast. */
    int16_t rounded[2][3];
    const PromoteOutput integers = promote_output(PROMOTE_DTYPE_I16, rounded, 2, shape, NULL);
    if (promote_call(torch, PROMOTE_OP_ADD, operands, 2, &integers) != PROMOTE_STATUS_OK) {
        printf("refused: %s\n", promote_last_error_message());
    }
    check(promote_cast(torch, &whole, PROMOTE_CASTING_ANY, &integers));
    printf("cast: %d %d %d %d %d %d\n", rounded[0][0], rounded[0][1], rounded[0][2], rounded[1][0], rounded[1][1],
           rounded[1][2]);
    return 0;
}
