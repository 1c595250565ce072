promote::rules! {
    rules Wrong;
    dtypes bool i32 f23;
    dtypes q: u9;
    promote {
        bool, any => b;
        itn, float => b;
        any, any => leest;
    }
    op subtrct;
}
