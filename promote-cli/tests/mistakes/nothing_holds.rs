promote::rules! {
    rules Wrong;
    dtypes i32 f16 bf16;
    numbers { bool | int => i32; float | complex => f16; }
    promote { any, any => least; }
}
