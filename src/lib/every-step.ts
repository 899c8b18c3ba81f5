/** Takes every step in turn, also after one that fails; then throws the first error. */
export async function takeEveryStep(steps: Iterable<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
