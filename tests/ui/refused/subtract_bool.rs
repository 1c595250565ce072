use promote::Torch;

fn main() {
    let _ = Torch::subtract(true, 1_i32);
}
