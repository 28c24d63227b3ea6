type Plain<K> = K extends `${string}_one` ? never : K;

/** The same keys in another language. Chinese has one plural form, so `…_one` may be left out. */
export type Translated<T> = {
  [K in keyof T as Plain<K>]: T[K] extends string ? string : Translated<T[K]>;
};
