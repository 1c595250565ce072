promote::rules! {
    rules R;
    dtypes bool i32 f16 f32;
    param autocast: off | auto | f16 = off;
    param fast: bool = false;
    promote {
        when autocast != off { f32, float => autocast; }
        float, float if fast => autocast;
        f16, f16 if fast || autocast == f16 => autocast;
        any, any => join;
    }
    op add { float if autocast != off && autocast != auto => autocast; i32 => f32 in autocast; }
    op sqrt -> autocast { bool | int => f32; }
    opmath { f16 => f32; }
}

fn main() {}
