import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from './icon.tsx'
import { useSending } from './sending.ts'
import type { Submit } from './use-submit.ts'

/** The sentence above a form that was refused; nothing before. */
export function FormError({ of }: { of: Pick<Submit<never>, 'error' | 'failure'> }) {
  const { t } = useTexts()
  if (of.error === undefined) return null
  return (
    <Alert color="red" variant="light" icon={<Icon name="alert" />} role="alert">
      {of.error}
      {of.failure !== undefined && of.failure.status >= 500 && of.failure.request_id !== null ? (
        <div>
          {t('common.request_id')}: {of.failure.request_id}
        </div>
      ) : null}
    </Alert>
  )
}

/** A form that calls `onSubmit` instead of loading a page, with its failure above and its button below. */
export function Form<Values>({
  of,
  onSubmit,
  label,
  children,
  aside,
  fullWidth = false,
  disabled = false,
  danger = false,
}: {
  of: Submit<Values>
  onSubmit: () => void
  /** The text of the button. */
  label: string
  children: ReactNode
  /** Other buttons beside it. */
  aside?: ReactNode
  fullWidth?: boolean
  disabled?: boolean
  /** What it does cannot be undone. */
  danger?: boolean
}) {
  useSending(of.pending)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onSubmit()
      }}
    >
      <Stack gap="md">
        <FormError of={of} />
        {children}
        <Group justify="flex-end" gap="sm">
          {aside}
          <Button
            type="submit"
            loading={of.pending}
            fullWidth={fullWidth}
            disabled={disabled}
            {...(danger ? { color: 'red.9' } : {})}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
