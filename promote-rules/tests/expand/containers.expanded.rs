const _: () = {
    use ::promote::__private as __p;
    #[automatically_derived]
    impl<T, RhsT, OutT, Rules> __p::Promote<Vec3<RhsT>, Rules> for Vec3<T>
    where
        T: __p::Promote<RhsT, Rules, Output = OutT>,
    {
        type Output = Vec3<OutT>;
    }
};
const _: () = {
    use ::promote::__private as __p;
    #[automatically_derived]
    impl<T, RhsT, OutT, Rules> __p::Promote<Complex<RhsT>, Rules> for Complex<T>
    where
        T: __p::Promote<RhsT, Rules, Output = OutT>,
    {
        type Output = Complex<OutT>;
    }
    #[inline]
    fn __mixed<T, RhsT, OutT, Op>(
        _: Op,
        __a: &Complex<T>,
        __b: &Complex<RhsT>,
    ) -> Complex<OutT>
    where
        ::promote::Torch: __p::Compute<Op, (T, RhsT), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT: ::core::marker::Copy,
    {
        Complex {
            re: <::promote::Torch as __p::Compute<
                Op,
                (_, _),
            >>::compute((__a.re, __b.re)),
            im: <::promote::Torch as __p::Compute<Op, (_, _)>>::compute((__a.im, __b.im)),
        }
    }
    #[automatically_derived]
    impl<T, RhsT, OutT> ::core::ops::Add<Complex<RhsT>> for Complex<T>
    where
        ::promote::Torch: __p::Compute<__p::op::Add, (T, RhsT), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT: ::core::marker::Copy,
    {
        type Output = Complex<OutT>;
        #[inline]
        fn add(self, __b: Complex<RhsT>) -> Self::Output {
            __mixed(__p::op::Add, &self, &__b)
        }
    }
    #[automatically_derived]
    impl<T, RhsT, OutT> ::core::ops::Add<&Complex<RhsT>> for Complex<T>
    where
        ::promote::Torch: __p::Compute<__p::op::Add, (T, RhsT), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT: ::core::marker::Copy,
    {
        type Output = Complex<OutT>;
        #[inline]
        fn add(self, __b: &Complex<RhsT>) -> Self::Output {
            __mixed(__p::op::Add, &self, __b)
        }
    }
    #[automatically_derived]
    impl<T, RhsT, OutT> ::core::ops::Add<Complex<RhsT>> for &Complex<T>
    where
        ::promote::Torch: __p::Compute<__p::op::Add, (T, RhsT), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT: ::core::marker::Copy,
    {
        type Output = Complex<OutT>;
        #[inline]
        fn add(self, __b: Complex<RhsT>) -> Self::Output {
            __mixed(__p::op::Add, self, &__b)
        }
    }
    #[automatically_derived]
    impl<T, RhsT, OutT> ::core::ops::Add<&Complex<RhsT>> for &Complex<T>
    where
        ::promote::Torch: __p::Compute<__p::op::Add, (T, RhsT), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT: ::core::marker::Copy,
    {
        type Output = Complex<OutT>;
        #[inline]
        fn add(self, __b: &Complex<RhsT>) -> Self::Output {
            __mixed(__p::op::Add, self, __b)
        }
    }
};
const _: () = {
    use house::__private as __p;
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > __p::Promote<Body<'a, RhsT_, RhsT, N>, house::Jax> for Body<'a, T, RhsT, N>
    where
        T: __p::Promote<RhsT_, house::Jax, Output = OutT>,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > __p::Promote<Body<'a, RhsT_, RhsT, N>, Own> for Body<'a, T, RhsT, N>
    where
        T: __p::Promote<RhsT_, Own, Output = OutT>,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
    }
    #[inline]
    fn __mixed<'a, T, RhsT, const N: usize, RhsT_, OutT, Op: ::core::marker::Copy>(
        __op: Op,
        __a: &Body<'a, T, RhsT, N>,
        __b: &Body<'a, RhsT_, RhsT, N>,
    ) -> Body<'a, OutT, RhsT, N>
    where
        Own: __p::Compute<Op, (T, RhsT_), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        Op: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<OutT>,
        >,
        RhsT: ::core::clone::Clone,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        Body {
            at: __p::fields::each(
                &__a.at,
                &__b.at,
                |__a, __b| <Op as __p::fields::Operator<_, _>>::apply(__a, __b),
            ),
            weight: (
                <Own as __p::Compute<Op, (_, _)>>::compute((__a.weight.0, __b.weight.0)),
                __p::fields::each(
                    &__a.weight.1,
                    &__b.weight.1,
                    |__a, __b| <Own as __p::Compute<Op, (_, _)>>::compute((*__a, *__b)),
                ),
            ),
            unit: ::core::marker::PhantomData,
            tag: ::core::clone::Clone::clone(&__a.tag),
            name: ::core::clone::Clone::clone(&__a.name),
            revision: newest(__op, &__a.revision, &__b.revision),
        }
    }
    #[inline]
    fn __mixed_in_place<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
        Op: ::core::marker::Copy,
    >(__op: Op, __a: &mut Body<'a, T, RhsT, N>, __b: &Body<'a, RhsT_, RhsT, N>)
    where
        Own: __p::Compute<Op, (T, RhsT_), Output = OutT>,
        OutT: __p::fields::Fits<T>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        Op: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<T>,
        >,
        T: Copy,
        RhsT_: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
    {
        __a.at = __p::fields::each(
            &__a.at,
            &__b.at,
            |__a, __b| <Op as __p::fields::Operator<_, _>>::apply(__a, __b),
        );
        __a.weight = (
            __p::fields::Fits::put(
                <Own as __p::Compute<Op, (_, _)>>::compute((__a.weight.0, __b.weight.0)),
            ),
            __p::fields::each(
                &__a.weight.1,
                &__b.weight.1,
                |__a, __b| __p::fields::Fits::put(
                    <Own as __p::Compute<Op, (_, _)>>::compute((*__a, *__b)),
                ),
            ),
        );
        __a.revision = newest(__op, &__a.revision, &__b.revision);
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > ::core::ops::Sub<Body<'a, RhsT_, RhsT, N>> for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Subtract, (T, RhsT_), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        __p::op::Subtract: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<OutT>,
        >,
        RhsT: ::core::clone::Clone,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
        #[inline]
        fn sub(self, __b: Body<'a, RhsT_, RhsT, N>) -> Self::Output {
            __mixed(__p::op::Subtract, &self, &__b)
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > ::core::ops::Sub<&Body<'a, RhsT_, RhsT, N>> for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Subtract, (T, RhsT_), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        __p::op::Subtract: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<OutT>,
        >,
        RhsT: ::core::clone::Clone,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
        #[inline]
        fn sub(self, __b: &Body<'a, RhsT_, RhsT, N>) -> Self::Output {
            __mixed(__p::op::Subtract, &self, __b)
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > ::core::ops::Sub<Body<'a, RhsT_, RhsT, N>> for &Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Subtract, (T, RhsT_), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        __p::op::Subtract: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<OutT>,
        >,
        RhsT: ::core::clone::Clone,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
        #[inline]
        fn sub(self, __b: Body<'a, RhsT_, RhsT, N>) -> Self::Output {
            __mixed(__p::op::Subtract, self, &__b)
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > ::core::ops::Sub<&Body<'a, RhsT_, RhsT, N>> for &Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Subtract, (T, RhsT_), Output = OutT>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        __p::op::Subtract: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<OutT>,
        >,
        RhsT: ::core::clone::Clone,
        T: Copy,
        RhsT_: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
        #[inline]
        fn sub(self, __b: &Body<'a, RhsT_, RhsT, N>) -> Self::Output {
            __mixed(__p::op::Subtract, self, __b)
        }
    }
    #[automatically_derived]
    impl<'a, T, RhsT, const N: usize, OutT> ::core::ops::Neg for &Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Negative, (T,), Output = OutT>,
        T: ::core::marker::Copy,
        for<'__a> &'__a Vec3<T>: ::core::ops::Neg<Output = Vec3<OutT>>,
        RhsT: ::core::clone::Clone,
        T: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
        #[inline]
        fn neg(self) -> Self::Output {
            Body {
                at: __p::fields::map(&self.at, |__a| -__a),
                weight: (
                    <Own as __p::Compute<
                        __p::op::Negative,
                        (_,),
                    >>::compute((self.weight.0,)),
                    __p::fields::map(
                        &self.weight.1,
                        |__a| <Own as __p::Compute<
                            __p::op::Negative,
                            (_,),
                        >>::compute((*__a,)),
                    ),
                ),
                unit: ::core::marker::PhantomData,
                tag: ::core::clone::Clone::clone(&self.tag),
                name: ::core::clone::Clone::clone(&self.name),
                revision: ::core::clone::Clone::clone(&self.revision),
            }
        }
    }
    #[automatically_derived]
    impl<'a, T, RhsT, const N: usize, OutT> ::core::ops::Neg for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Negative, (T,), Output = OutT>,
        T: ::core::marker::Copy,
        for<'__a> &'__a Vec3<T>: ::core::ops::Neg<Output = Vec3<OutT>>,
        RhsT: ::core::clone::Clone,
        T: Copy,
        OutT: Copy,
        RhsT: Clone,
        T: Default,
        OutT: Default,
    {
        type Output = Body<'a, OutT, RhsT, N>;
        #[inline]
        fn neg(self) -> Self::Output {
            -&self
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > ::core::ops::AddAssign<Body<'a, RhsT_, RhsT, N>> for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Add, (T, RhsT_), Output = OutT>,
        OutT: __p::fields::Fits<T>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        __p::op::Add: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<T>,
        >,
        T: Copy,
        RhsT_: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
    {
        #[inline]
        fn add_assign(&mut self, __b: Body<'a, RhsT_, RhsT, N>) {
            __mixed_in_place(__p::op::Add, self, &__b);
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
        OutT,
    > ::core::ops::AddAssign<&Body<'a, RhsT_, RhsT, N>> for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Add, (T, RhsT_), Output = OutT>,
        OutT: __p::fields::Fits<T>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        __p::op::Add: for<'__a, '__b> __p::fields::Operator<
            &'__a Vec3<T>,
            &'__b Vec3<RhsT_>,
            Output = Vec3<T>,
        >,
        T: Copy,
        RhsT_: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
    {
        #[inline]
        fn add_assign(&mut self, __b: &Body<'a, RhsT_, RhsT, N>) {
            __mixed_in_place(__p::op::Add, self, __b);
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
    > ::core::cmp::PartialEq<Body<'a, RhsT_, RhsT, N>> for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Equal, (T, RhsT_), Output = ::core::primitive::bool>,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        Vec3<T>: ::core::cmp::PartialEq<Vec3<RhsT_>>,
        T: Copy,
        RhsT_: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
    {
        #[inline]
        fn eq(&self, __b: &Body<'a, RhsT_, RhsT, N>) -> ::core::primitive::bool {
            __p::fields::all(&self.at, &__b.at, |__a, __b| *__a == *__b)
                && <Own as __p::Compute<
                    __p::op::Equal,
                    (_, _),
                >>::compute((self.weight.0, __b.weight.0))
                && __p::fields::all(
                    &self.weight.1,
                    &__b.weight.1,
                    |__a, __b| <Own as __p::Compute<
                        __p::op::Equal,
                        (_, _),
                    >>::compute((*__a, *__b)),
                )
        }
    }
    #[automatically_derived]
    impl<
        'a,
        T,
        RhsT,
        const N: usize,
        RhsT_,
    > ::core::cmp::PartialOrd<Body<'a, RhsT_, RhsT, N>> for Body<'a, T, RhsT, N>
    where
        Own: __p::Compute<__p::op::Equal, (T, RhsT_), Output = ::core::primitive::bool>,
        Own: __p::Compute<__p::op::Less, (T, RhsT_), Output = ::core::primitive::bool>,
        Own: __p::Compute<
            __p::op::Greater,
            (T, RhsT_),
            Output = ::core::primitive::bool,
        >,
        T: ::core::marker::Copy,
        RhsT_: ::core::marker::Copy,
        Vec3<T>: ::core::cmp::PartialOrd<Vec3<RhsT_>>,
        T: Copy,
        RhsT_: Copy,
        RhsT: Clone,
        T: Default,
        RhsT_: Default,
    {
        #[inline]
        fn partial_cmp(
            &self,
            __b: &Body<'a, RhsT_, RhsT, N>,
        ) -> ::core::option::Option<::core::cmp::Ordering> {
            {
                match __p::fields::first(
                    &self.at,
                    &__b.at,
                    |__a, __b| ::core::cmp::PartialOrd::partial_cmp(__a, __b),
                ) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => {}
                    __order => return __order,
                }
                match __p::fields::order::<Own, _, _>(self.weight.0, __b.weight.0) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => {}
                    __order => return __order,
                }
                __p::fields::first(
                    &self.weight.1,
                    &__b.weight.1,
                    |__a, __b| __p::fields::order::<Own, _, _>(*__a, *__b),
                )
            }
        }
    }
};
const _: () = {
    use ::promote::__private as __p;
    #[automatically_derived]
    impl<T, const N: usize, RhsT, OutT, Rules> __p::Promote<Samples<RhsT, N>, Rules>
    for Samples<T, N>
    where
        T: __p::Promote<RhsT, Rules, Output = OutT>,
    {
        type Output = Samples<OutT, N>;
    }
    #[inline]
    fn __by_number<T, const N: usize, OutT, Number, Op>(
        _: Op,
        __a: &Samples<T, N>,
        __b: __p::Weak<Number>,
    ) -> Samples<OutT, N>
    where
        ::promote::Torch: __p::Compute<Op, (T, __p::Weak<Number>), Output = OutT>,
        T: ::core::marker::Copy,
        __p::Weak<Number>: ::core::marker::Copy,
    {
        Samples(
            __p::fields::map(
                &__a.0,
                |__a| <::promote::Torch as __p::Compute<
                    Op,
                    (_, _),
                >>::compute((*__a, __b)),
            ),
        )
    }
    #[inline]
    fn __by_number_in_place<T, const N: usize, OutT, Number, Op>(
        _: Op,
        __a: &mut Samples<T, N>,
        __b: __p::Weak<Number>,
    )
    where
        ::promote::Torch: __p::Compute<Op, (T, __p::Weak<Number>), Output = OutT>,
        OutT: __p::fields::Fits<T>,
        T: ::core::marker::Copy,
        __p::Weak<Number>: ::core::marker::Copy,
    {
        __a.0 = __p::fields::map(
            &__a.0,
            |__a| __p::fields::Fits::put(
                <::promote::Torch as __p::Compute<Op, (_, _)>>::compute((*__a, __b)),
            ),
        );
    }
    #[automatically_derived]
    impl<T, const N: usize, OutT, Number> ::core::ops::Mul<__p::Weak<Number>>
    for Samples<T, N>
    where
        ::promote::Torch: __p::Compute<
            __p::op::Multiply,
            (T, __p::Weak<Number>),
            Output = OutT,
        >,
        T: ::core::marker::Copy,
        __p::Weak<Number>: ::core::marker::Copy,
    {
        type Output = Samples<OutT, N>;
        #[inline]
        fn mul(self, __b: __p::Weak<Number>) -> Self::Output {
            __by_number(__p::op::Multiply, &self, __b)
        }
    }
    #[automatically_derived]
    impl<T, const N: usize, OutT, Number> ::core::ops::Mul<__p::Weak<Number>>
    for &Samples<T, N>
    where
        ::promote::Torch: __p::Compute<
            __p::op::Multiply,
            (T, __p::Weak<Number>),
            Output = OutT,
        >,
        T: ::core::marker::Copy,
        __p::Weak<Number>: ::core::marker::Copy,
    {
        type Output = Samples<OutT, N>;
        #[inline]
        fn mul(self, __b: __p::Weak<Number>) -> Self::Output {
            __by_number(__p::op::Multiply, self, __b)
        }
    }
    #[automatically_derived]
    impl<T, const N: usize, OutT, Number> ::core::ops::DivAssign<__p::Weak<Number>>
    for Samples<T, N>
    where
        ::promote::Torch: __p::Compute<
            __p::op::Divide,
            (T, __p::Weak<Number>),
            Output = OutT,
        >,
        OutT: __p::fields::Fits<T>,
        T: ::core::marker::Copy,
        __p::Weak<Number>: ::core::marker::Copy,
    {
        #[inline]
        fn div_assign(&mut self, __b: __p::Weak<Number>) {
            __by_number_in_place(__p::op::Divide, self, __b);
        }
    }
    #[inline]
    fn __number_by<T, const N: usize, OutT, Number, Op>(
        _: Op,
        __a: __p::Weak<Number>,
        __b: &Samples<T, N>,
    ) -> Samples<OutT, N>
    where
        ::promote::Torch: __p::Compute<Op, (__p::Weak<Number>, T), Output = OutT>,
        __p::Weak<Number>: ::core::marker::Copy,
        T: ::core::marker::Copy,
    {
        Samples(
            __p::fields::map(
                &__b.0,
                |__b| <::promote::Torch as __p::Compute<
                    Op,
                    (_, _),
                >>::compute((__a, *__b)),
            ),
        )
    }
    #[automatically_derived]
    impl<T, const N: usize, OutT, Number> ::core::ops::Mul<Samples<T, N>>
    for __p::Weak<Number>
    where
        ::promote::Torch: __p::Compute<
            __p::op::Multiply,
            (__p::Weak<Number>, T),
            Output = OutT,
        >,
        __p::Weak<Number>: ::core::marker::Copy,
        T: ::core::marker::Copy,
    {
        type Output = Samples<OutT, N>;
        #[inline]
        fn mul(self, __b: Samples<T, N>) -> Self::Output {
            __number_by(__p::op::Multiply, self, &__b)
        }
    }
    #[automatically_derived]
    impl<T, const N: usize, OutT, Number> ::core::ops::Mul<&Samples<T, N>>
    for __p::Weak<Number>
    where
        ::promote::Torch: __p::Compute<
            __p::op::Multiply,
            (__p::Weak<Number>, T),
            Output = OutT,
        >,
        __p::Weak<Number>: ::core::marker::Copy,
        T: ::core::marker::Copy,
    {
        type Output = Samples<OutT, N>;
        #[inline]
        fn mul(self, __b: &Samples<T, N>) -> Self::Output {
            __number_by(__p::op::Multiply, self, __b)
        }
    }
};
