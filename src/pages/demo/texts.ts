import { catalogue } from '../texts/catalogue.ts'

export const { shop: texts, done: doneTexts } = catalogue.demo
