//! `promote bench`.

use crate::promote;

#[test]
fn json_has_the_measurements() {
    for (dtypes, op, out) in
        [(&["i8", "f32"][..], "add", "f32"), (&["u8", "i16"], "where", "i16"), (&["f16"], "exp", "f16")]
    {
        let args: Vec<&str> = ["bench", "torch", op]
            .iter()
            .chain(dtypes)
            .chain(&["--n", "1000", "--format", "json"])
            .copied()
            .collect();
        let told = promote(&args).json();
        assert_eq!((&told["op"], &told["out"], &told["n"]), (&op.into(), &out.into(), &1000.into()));
        assert_eq!(
            (&told["rules"], &told["dtypes"], &told["threads"]),
            (&"Torch".into(), &dtypes.into(), &1.into())
        );
        for figure in ["ns", "gb_per_s", "copy_ratio"] {
            assert!(told[figure].as_f64().is_some_and(|x| x > 0.0), "{figure}: {told}");
        }
    }
}

#[test]
fn text_has_the_measurements() {
    let told = promote(&["bench", "numpy", "less", "i8", "f64", "--n", "100", "--threads", "2"]).told();
    assert!(
        told.starts_with("NumPy: `less` of i8 and f64 gives bool; 100 elements, 2 threads, level "),
        "{told}"
    );
    assert!(
        told.contains(" ns a call, ") && told.contains(" GB/s ") && told.contains("memory copy"),
        "{told}"
    );
}

#[test]
fn rejects_invalid_measurements() {
    let refused = |args: &[&str]| promote(&[&["bench", "torch"], args].concat()).refused();
    assert!(refused(&["ad", "f32", "f32"]).contains("did you mean `add`"));
    assert!(refused(&["add", "f32"]).contains("`add` has 2 operands, and the number of dtypes given is 1"));
    assert!(refused(&["add", "f32", "i128"]).contains("`i128` is not a dtype of Torch"));
    assert!(refused(&["subtract", "bool", "bool"]).contains("rules/torch.rs:"));
    assert!(
        refused(&["floor_divide", "i32", "i32", "--low", "0", "--high", "0.5"]).contains("divided by zero")
    );
    assert_eq!(promote(&["bench", "torch", "add", "f32", "f32", "--n", "0"]).code, 2);
    assert_eq!(promote(&["bench", "torch", "add", "f32", "f32", "--threads", "many"]).code, 2);
}
