import { useTexts } from '../../texts/texts.tsx'
import { explainedError } from './error-texts.ts'

/** Why an attempt failed, in the language of the reader where we know what the service says. */
export function AttemptError({ error }: { error: string }) {
  const { t } = useTexts()
  const explained = explainedError(error)
  if (explained === undefined) return <bdi>{error}</bdi>
  const { text, code } = explained
  return (
    <span>
      {t(text)} {code === undefined ? null : <code dir="ltr">{code}</code>}
    </span>
  )
}
