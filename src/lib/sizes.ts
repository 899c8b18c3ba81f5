/** In bytes. */
export const mebibyte = 1_048_576
