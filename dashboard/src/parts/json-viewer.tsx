import { ScrollArea } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import classes from './json-viewer.module.css'

/** A body as it was sent, indented, left to right in both languages. Text that is no JSON is shown as it is. */
export function JsonViewer({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? indented(value) : JSON.stringify(value, null, 2)
  return (
    <figure className={classes.viewer}>
      <figcaption className={classes.head}>
        <span>{label}</span>
        <CopyButton value={text} what={label} />
      </figcaption>
      <ScrollArea.Autosize
        mah={420}
        type="auto"
        viewportProps={{ dir: 'ltr', tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <pre dir="ltr" className={classes.text}>
          {text}
        </pre>
      </ScrollArea.Autosize>
    </figure>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
