/** Processes that tests start use it too: this file loads nothing. */
export const secret_key = 'a key of the tests, which seals nothing of value'
