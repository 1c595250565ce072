promote::rules! {
    rules Tiny;

    dtypes bool i32 f32;
    param mean: bool = false;

    numbers { bool => bool; int => i32; float => f32; complex => refuse "not here"; }
    promote {
        bool, f32 => refuse "choose";
        int, float => b;
        any, any => join;
    }
    yield array > number { any, any if kind(b) <= kind(a) => a; any, any => promote(a, b); }

    op add;
    op exp { bool | int => f32; }
    op subtract { bool, any => refuse "no difference"; }
    op less -> bool { bool => refuse "no order"; }
}
