/** Asks at most once in `every_ms`, however often it is called. After a failure, the next call asks again. */
export function atMostEvery<T>(
  every_ms: number,
  ask: () => Promise<T>,
  now_ms: () => number = () => performance.now(),
): () => Promise<T> {
  let asked: { readonly at_ms: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (asked !== undefined && now_ms() - asked.at_ms < every_ms) return asked.answer
    const answer = ask()
    const mine = { at_ms: now_ms(), answer }
    asked = mine
    answer.catch(() => {
      if (asked === mine) asked = undefined
    })
    return answer
  }
}
