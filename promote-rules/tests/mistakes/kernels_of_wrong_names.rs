promote::rules! {
    rules R;
    dtypes bool u1 i16 i32 f32 f64;
    dtype money: int 64;
    let small = i16 | u1;
    promote { any, any => join or refuse "no dtype holds both"; }
    op add multiply pow sum;
    op less greater -> bool;

    kernels ad: i16 f32;
    kernels divide: i16 f32;
    kernels pow: i16 f32;
    kernels sum: i16 f32;
    kernels multiply: i61 f32;
    kernels less: u1 money f32;
    kernels greater ordering: i16 small;
    kernels add: i16 i32;
    kernels add: f32 i16 i32;
}

fn main() {}
