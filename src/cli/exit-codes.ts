/** What a command ends with when it is refused, or finds what is not clean. */
export const refused = 1
/** What it ends with when it is used wrongly. */
export const wrong_use = 2
