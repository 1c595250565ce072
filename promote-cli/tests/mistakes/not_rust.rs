promote::rules! {
    rules Wrong;
    dtypes "bool;
}
