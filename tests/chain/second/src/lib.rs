//! A program that builds on another user's rules.

#![deny(warnings, missing_docs)]

mod rules;

pub use rules::Careful;

#[cfg(test)]
mod tests {
    use first::house::op::OpType as _;
    use first::house::{Casting, DType, Element, OpOutput, Operand, Promoted, op, weak};
    use first::{Axpy, AxpyExt as _, Fixed, Point, Q16, Segment};

    use super::Careful;

    fn dtype(name: &str) -> DType {
        let dtypes = Careful::TABLES.dtypes;
        dtypes.iter().copied().find(|dtype| dtype.name() == name).expect("a dtype of the rule set")
    }

    #[test]
    fn types_come_from_the_farthest_base() {
        let sum: Promoted<u8, i8, Careful> = Careful::add(200_u8, -1_i8);
        assert_eq!(sum, 199_i16);
    }

    #[test]
    fn the_users_dtype_is_in_the_tables() {
        let careful = Careful::new();
        let ask = |a: &str, b: &str| careful.promote_types(dtype(a), dtype(b)).map(DType::name);
        assert_eq!(ask("q16", "i16"), Ok("q16"));
        assert_eq!(ask("f32", "q16"), Ok("f64"));
        assert_eq!(ask("q16", "c64"), Ok("c128"));
        assert_eq!(ask("u8", "i8"), Ok("i16"));
        let refused = ask("q16", "i64").expect_err("the first crate refuses it").to_string();
        assert!(
            refused.contains("q16 holds 16 integer bits") && refused.contains("src/rules.rs:13)"),
            "{refused}"
        );
        let refused = ask("q16", "bool").expect_err("this crate refuses it").to_string();
        assert!(refused.contains("bool is not a numeric type"), "{refused}");
    }

    #[test]
    fn the_users_type_promotes_at_compile_time() {
        let sum: Promoted<i16, Q16, Fixed> = Q16(1 << 16);
        let wide: Promoted<Q16, f32, Fixed> = 1.0_f64;
        let maximum: OpOutput<op::Maximum, (Q16, u8), Careful> = Q16(2 << 16);
        assert_eq!((sum, wide, maximum), (Q16(65_536), 1.0, Q16(131_072)));
        assert_eq!((Q16::DTYPE, Q16::DTYPE.bits()), (dtype("q16"), 32));
    }

    #[test]
    fn containers_of_the_first_crate_promote_and_compute() {
        let point: Promoted<Point<Q16, u8>, Point<i16, i8>, Fixed> =
            Point { x: Q16(1 << 16), y: (1_i16, [2, 3]), mark: '+' };
        assert_eq!((point.x, point.y), (Q16(65_536), (1, [2, 3])));
        let (a, b) = (
            Point { x: 1_u8, y: (2_i8, [0, 0]), mark: 'a' },
            Point { x: 0.5_f32, y: (1, [1, 1]), mark: 'b' },
        );
        let sum = (a + &b) * weak(2);
        assert_eq!((sum.x, sum.y, sum.mark), (3.0_f32, (6_i32, [2, 2]), 'a'));
        let segment = Segment([a, a].map(|point| point_of(point.y)), [3; 16]);
        assert!(segment + segment == segment * weak(2));
    }

    fn point_of<T: Copy>(y: (T, [T; 2])) -> Point<T, T> {
        Point { x: y.0, y, mark: ' ' }
    }

    #[test]
    fn the_users_type_computes() {
        assert_eq!(Careful::add(Q16(1 << 15), 2_i8), Q16(5 << 15));
        assert_eq!(Fixed::add(0.25_f32, Q16(1 << 15)).to_bits(), 0.75_f64.to_bits());
        assert!(Fixed::less(Q16(1), 1_u8));
    }

    #[cfg(feature = "kernels")]
    #[test]
    fn the_users_type_has_kernels() {
        use first::house::{Op, SliceMut};
        let (a, b) = ([Q16(1 << 15); 40], [2_i8; 40]);
        let mut out = [Q16(0); 40];
        Careful::add_into(&a, &b, &mut out).expect("a kernel");
        assert_eq!(out, [Q16(5 << 15); 40]);
        let rules = Careful::new().rule_set();
        let multiply = rules.binary(Op::Multiply, a[..].into(), b[..].into(), SliceMut::new(&mut out));
        let told = multiply.expect_err("it has no such trait").to_string();
        assert!(told.starts_with("the type of `q16` has no `multiply`"), "{told}");
        rules.binary(Op::Maximum, a[..].into(), b[..].into(), SliceMut::new(&mut out)).expect("a kernel");
        assert_eq!(out, [Q16(2 << 16); 40]);
    }

    #[test]
    fn the_first_crates_op_has_the_dtypes_of_both_files() {
        let sum: f64 = Careful::axpy(2_i8, 300_i16, 1_u8);
        let float: f32 = Careful::axpy(2_i8, 0.5_f32, 1_u8);
        assert_eq!((sum.to_bits(), float.to_bits()), (601.0_f64.to_bits(), 2.0_f32.to_bits()));
        let ask = |name: &str| Careful::new().op_types(Axpy::OP, &[Operand::Array(dtype(name)); 3]);
        assert_eq!(ask("i16").map(|types| types.output), Ok(DType::F64));
        let refused =
            ["q16", "c64"].map(|name| ask(name).expect_err("one of the files refuses it").to_string());
        assert!(
            refused[0].contains("q16 has no product") && refused[1].contains("real numbers here"),
            "{refused:?}"
        );
    }

    #[test]
    fn no_cell_of_the_base_moves() {
        for &a in Fixed::TABLES.dtypes {
            for &b in Fixed::TABLES.dtypes {
                let (first, ours) = (Fixed::new().promote_types(a, b), Careful::new().promote_types(a, b));
                if a != DType::Bool && b != DType::Bool {
                    assert_eq!(first.ok(), ours.ok(), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn levels_of_casting_add_up() {
        let cast =
            |a: &str, b: &str| Careful::new().rule_set().can_cast(dtype(a), dtype(b), Casting::Default);
        assert!(cast("q16", "f64").is_ok() && cast("q16", "f32").is_err() && cast("f32", "i32").is_err());
    }
}
