use crate::common::{Folder, Knows, client, cluster, query, set};
use datafusion::arrow::datatypes::DataType;

/// Writes a rule file in which the sum of `i8` and `f16` is another type.
fn rule_file(folder: &Folder, name: &str, sum: &str) -> String {
    let path = folder.path.join(name);
    let text =
        format!("promote::rules! {{ rules Wide extends promote::Torch; promote {{ i8, f16 => {sum}; }} }}");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn rule_files_travel_with_plans() {
    let folder = Folder::new().await;
    let url = cluster(Knows::Functions, Knows::Functions).await;
    // Rule sets of one name, whose functions have one name as well.
    let ((a, _), (b, _)) = (client(&url, &folder).await, client(&url, &folder).await);
    for (context, name, sum) in [(&a, "a.rs", "f64"), (&b, "b.rs", "f32")] {
        let path = rule_file(&folder, name, sum);
        set(context, "rules", &path).await;
        // Schedulers and executors do not read it.
        std::fs::remove_file(path).unwrap();
    }
    for mode in ["casts", "kernels"] {
        for (context, expected) in [(&a, DataType::Float64), (&b, DataType::Float32), (&a, DataType::Float64)]
        {
            set(context, "mode", mode).await;
            let found = query(context, "SELECT i8 + f16, i16 + f16, i8 % 3 FROM t").await.unwrap();
            let types: Vec<_> = found.columns().iter().map(|column| column.data_type().clone()).collect();
            assert_eq!(types, [expected, DataType::Float16, DataType::Int8], "{mode}");
        }
    }
}

#[tokio::test]
async fn parameters_of_rule_files_travel_in_the_names_of_functions() {
    let folder = Folder::new().await;
    let (context, _) = client(&cluster(Knows::Functions, Knows::Functions).await, &folder).await;
    set(&context, "rules", &rule_file(&folder, "wide.rs", "f64")).await;
    set(&context, "parameters", "default_dtype=f64").await;
    set(&context, "mode", "kernels").await;
    let found = query(&context, "SELECT i32 / i16, i8 + f16 FROM t").await.unwrap();
    assert!(found.columns().iter().all(|column| *column.data_type() == DataType::Float64));
}
