import { catalogue } from '../texts/catalogue.ts'

/** Texts of the hosted checkout. Numbers of points stand where grammatical case does not change their form. */
export const {
  common,
  number: numberTexts,
  choose: chooseTexts,
  confirm: confirmTexts,
  pay: payTexts,
  result: resultTexts,
  ended: endedTexts,
  items: itemTexts,
  methods: methodTexts,
  withoutPoints: withoutPointsTexts,
  paymentLimit: paymentLimitTexts,
  remembered: rememberedTexts,
} = catalogue.checkout
