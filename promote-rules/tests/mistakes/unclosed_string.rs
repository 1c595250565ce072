promote::rules! {
    rules R;
    dtypes bool;
    promote { any, any => refuse "why; }
}
