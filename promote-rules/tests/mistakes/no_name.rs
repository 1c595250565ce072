promote::rules! {
    dtypes bool;
}
