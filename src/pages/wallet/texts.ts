import { catalogue } from '../texts/catalogue.ts'

export const {
  wallet: texts,
  signIn: signInTexts,
  unknownProgram: unknownProgramTexts,
  statement: statementTexts,
  remembered: rememberedTexts,
} = catalogue.wallet
