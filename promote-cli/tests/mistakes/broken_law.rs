// Umlauts – and other wide characters – before the place: äöü 日本語
promote::rules! {
    rules Wrong;
    dtypes i8 u16 f32 f64;
    numbers { bool | int => i8; float => f32; complex => refuse "no complex"; }
    promote { same => a; u16, i8 => f64; any, any => least; }
    law commutative; /* 日本語 */ law associative;
}
