/**
 * The module `node:http`, without an import. Node.js reads every name of a module that is imported, and one of them loads
 * all of `fetch`, which no command needs: 30 ms of a start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
