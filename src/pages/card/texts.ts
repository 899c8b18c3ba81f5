import { catalogue } from '../texts/catalogue.ts'

/** Texts of the card in a shop and of its window. */
export const { card: cardTexts, window: windowTexts } = catalogue.card
