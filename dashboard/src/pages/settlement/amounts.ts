const exact = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** SAR with the digits that it has: two at least, six at most. */
export function exactSar(amount: number): string {
  return exact.format(amount).replace('-', '−')
}

/** Gives the key of the sentence that says who owes the amount due. */
export function whoOwes(due: number): 'settlements.owes' | 'settlements.owed_to' | 'settlements.nothing_due' {
  if (due === 0) return 'settlements.nothing_due'
  return due < 0 ? 'settlements.owed_to' : 'settlements.owes'
}
