//! Lists of operands, mixed at random, and what frameworks make of them.
