type Mean<T> = promote::UnaryOutput<promote::op::Mean, T>;

fn main() {
    let _: Mean<i32> = 0.5;
}
