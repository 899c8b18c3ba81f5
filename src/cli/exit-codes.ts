/** The exit code of a command that is refused, or finds something that is not clean. */
export const exit_failed = 1
/** The exit code of a command that is used wrongly. */
export const exit_usage = 2
