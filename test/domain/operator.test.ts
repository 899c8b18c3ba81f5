import { describe, expect, it } from 'vitest'
import { contactLink, operatorOf, readOperatorText } from '../../src/domain/operator.ts'

const nobody = { name: null, contact: null }
const deployment = { name: 'Points Company', contact: 'help@points.example.com' }

describe('the operator of a program', () => {
  it('is the deployment as long as the program names neither a name nor a contact', () => {
    expect(operatorOf(nobody, deployment)).toEqual(deployment)
    expect(operatorOf({ name: 'Mall', contact: null }, deployment)).toEqual({ name: 'Mall', contact: null })
    expect(operatorOf({ name: null, contact: 'a@b.sa' }, deployment)).toEqual({ name: null, contact: 'a@b.sa' })
    expect(operatorOf(nobody, nobody)).toEqual(nobody)
  })
})

describe('the link of a contact', () => {
  it.each([
    ['help@points.example.com', 'mailto:help@points.example.com'],
    ['+966 11 234 5678', 'tel:+966112345678'],
    ['920012345', 'tel:920012345'],
    ['https://points.example.com/help', 'https://points.example.com/help'],
    ['http://points.example.com/help', null],
    ['javascript:alert(1)', null],
    ['https://points.example.com/" onclick="x', null],
    ['a@b.sa?subject=x', null],
    ['Ask at the till', null],
    ['12345', null],
  ])('%s leads to %s', (contact, link) => {
    expect(contactLink(contact)).toBe(link)
  })
})

describe('a name or a contact as typed', () => {
  it.each([
    ['  Points Company ', 'Points Company'],
    ['شركة النقاط', 'شركة النقاط'],
    ['   ', null],
    ['two\nlines', null],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), null],
  ])('%j is read as %j', (text, read) => {
    expect(readOperatorText(text)).toBe(read)
  })
})
