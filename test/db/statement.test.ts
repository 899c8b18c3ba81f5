import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../src/db/statement.ts'

describe('the statements of a script', () => {
  it.each([
    ['', []],
    [' ;; -- nothing\n', []],
    ['select 1', ['select 1']],
    ['select 1;\nselect 2;', ['select 1', 'select 2']],
    [`select ';', 'it''s;'; select 2`, [`select ';', 'it''s;'`, 'select 2']],
    ['select "a;b"', ['select "a;b"']],
    ['-- first; second\nselect 1; /* a; b */ select 2 -- end', ['select 1', 'select 2']],
    ['do $x$ begin; end $x$; select $$;$$', ['do $x$ begin; end $x$', 'select $$;$$']],
    ['select 3 - 1, 4 / 2, $1', ['select 3 - 1, 4 / 2, $1']],
  ])('%j', (script, statements) => expect(statementsOf(script)).toEqual(statements))
})
