import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { BareDialog } from './bare-dialog.tsx'
import { Copyable } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import classes from './secret-dialog.module.css'

export interface Shown {
  readonly label: string
  readonly value: string
}

interface Props {
  title: string
  secrets: readonly Shown[]
  onClose: () => void
  /** Whether the reader says that they are stored. */
  stored: boolean
  setStored: (stored: boolean) => void
}

/** Secrets to be stored now. */
export function SecretList({ title, secrets, onClose, stored, setStored }: Props) {
  const { t } = useTexts()
  return (
    <BareDialog
      opened
      onClose={onClose}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Alert variant="light" color="yellow" icon={<Icon name="key" />}>
          {t('settings.shown_once')}
        </Alert>
        {secrets.map(({ label, value }) => (
          <div key={label} className={classes.secret}>
            <span className={classes.label}>{label}</span>
            <Copyable value={value} what={label} />
          </div>
        ))}
        <Checkbox
          label={t('settings.stored')}
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button onClick={onClose} disabled={!stored}>
            {t('settings.done')}
          </Button>
        </Group>
      </Stack>
    </BareDialog>
  )
}
