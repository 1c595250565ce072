type Mean<T> = promote::OpOutput<promote::op::Mean, (T,)>;

fn main() {
    let _: Mean<i32> = 0.5;
}
