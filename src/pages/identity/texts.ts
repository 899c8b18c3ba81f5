import { catalogue } from '../texts/catalogue.ts'

/** Texts of the steps that prove a phone and onboard a customer. */
export const { phone: phoneTexts, code: codeTexts, onboarding: onboardingTexts } = catalogue.identity
