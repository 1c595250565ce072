promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param mode: a | bold = bold;
    promote { any, any if mode == bold => join; any, any => f64; }
}

fn main() {}
