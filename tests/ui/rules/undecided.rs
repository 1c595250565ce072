promote::rules! {
    rules Mine;

    dtypes bool i32 f32;
    promote {
        same      => a;
        bool, any => b;
    }
    op add;
}

fn main() {
    // The rest of the rule set is there, so that only the mistake is told.
    let _: promote::Promoted<bool, i32, Mine> = 1;
    let _ = Mine::add(true, 1_i32);
}
