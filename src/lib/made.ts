/** Makes a value when it is first asked for. */
export function made<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}
