//! Paddle as the document "Introduction to Data Type Promotion" of version 2.6 has it. What the document does
//! not say is as in `Paddle`.
promote::rules! {
    rules Paddle26 extends crate::Paddle;

    // The document's table of functions names a rule for two tensors and one for a tensor and a number. The
    // "Common Rule" is promotion itself, also of complex numbers. A dash stands for no promotion; two tensors
    // of one dtype need none.
    let tensors_only = extremum | logaddexp | huber_loss | nextafter | atan2 | poisson_nll_loss | l1_loss
        | mse_loss;
    let logic = comparison | logical_and | logical_or | logical_xor;
    let bits = bitwise_and | bitwise_or | bitwise_xor;

    op tensors_only {
        any, number => refuse "Paddle 2.6 promotes no tensor and number here: make a tensor of it";
    }
    op tensors_only floor_divide { complex => common; }
    op subtract { array bool, number bool => common in i32; }
    op where { array, number => common; }

    // The "Divide Rule", of a tensor and a number: the result is never below a float.
    op divide { array bool, number bool => f32; }

    // The "Logic Rule": the results are bool, and complex numbers are out of scope.
    op logic -> bool { complex => refuse "complex numbers cannot be used in logic: compare their parts"; }

    op bits {
        array, number => common;
        any, any if a != b => refuse "Paddle 2.6 promotes no two tensors here: cast one first";
    }
}
