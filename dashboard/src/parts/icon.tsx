import classes from './icon.module.css'

/** Paths on a 24 by 24 grid with 1.75 strokes, like those of the hosted pages. */
const drawings = {
  alert: 'M12 4 3 19.5h18zM12 10v4.5M12 16.8v.3',
  arrow: 'M5 12h13m-5.5-6 6 6-6 6',
  audit: 'M6.5 3.5h11v17h-11zM9.5 8h5M9.5 12h5M9.5 16h2.5',
  back: 'M19 12H6m5.5-6-6 6 6 6',
  block: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM6 6l12 12',
  brand:
    'M12 3.5c-5 0-8.5 3.6-8.5 8.3 0 4.9 3.6 8.7 8.2 8.7 1.6 0 2-1 1.5-2.1-.7-1.6.3-2.9 2-2.9h2c2 0 3.3-1.4 3.3-3.6 0-4.7-3.6-8.4-8.5-8.4zM7.7 12v.1M9.8 8v.1M14.3 7.7v.1M17 11v.1',
  card: 'M3.5 6h17v12h-17zM3.5 10.5h17M7 14.5h3',
  chart: 'M4 20h16M6.5 16.5v-5M11 16.5V6M15.5 16.5V9.5M20 16.5V4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  checklist: 'm4 6.5 1.5 1.5 2.5-3M4 13l1.5 1.5 2.5-3M4 19.5 5.5 21 8 18M11.5 6.5H20M11.5 13H20M11.5 19.5H20',
  chevron: 'm9 5 7 7-7 7',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2.5',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4',
  customers:
    'M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 19.5c.6-3.3 3.1-5 6.5-5s5.9 1.7 6.5 5M15.5 4.8a3.4 3.4 0 0 1 0 6.4M17.5 14.8c2.3.6 3.6 2.2 4 4.7',
  deliveries: 'M3.5 12h10M9.5 7l5 5-5 5M17 4.5h3.5v15H17',
  down: 'm6 9 6 6 6-6',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15',
  earning: 'm12 4.2 7.8 7.8-7.8 7.8L4.2 12zM12 9v6M9 12h6',
  edit: 'M4.5 19.5 5.5 15 16 4.5l3.5 3.5L9 18.5zM13.5 7 17 10.5',
  findings: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20.5 20.5M10.5 7.3v3.7M10.5 13.4v.2',
  health: 'M3 12h4l2.5-6.5 4.5 13 2.5-6.5H21',
  key: 'M8 9.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 11 20 3.5M16 7l3 3',
  language: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c-5 5.5-5 11.5 0 17 5-5.5 5-11.5 0-17z',
  ledger: 'M5.5 4.5H16a2.5 2.5 0 0 1 2.5 2.5v13H8a2.5 2.5 0 0 1-2.5-2.5zM5.5 17.5A2.5 2.5 0 0 1 8 15h10.5M9 8.5h6',
  liability: 'M11 4.5a8 8 0 1 0 8.5 8.5H11zM14.5 3.5a7 7 0 0 1 6 6h-6z',
  lock: 'M5.5 10.5h13v10h-13zM8.5 10.5v-3a3.5 3.5 0 0 1 7 0v3',
  mail: 'M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  merge: 'M6 4v3c0 5 6 4.5 6 9.5V20M18 4v3c0 5-6 4.5-6 9.5M9 17.5l3 3 3-3',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  orders: 'M5.5 8h13l1 12h-15zM8.5 8V7a3.5 3.5 0 0 1 7 0v1',
  out: 'M10 4.5H5.5v15H10M14.5 8l4 4-4 4M18 12h-8',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  phone: 'M7.5 3h9v18h-9zM11 18.2h2',
  plus: 'M12 5v14M5 12h14',
  points: 'm12 4.2 7.8 7.8-7.8 7.8L4.2 12z',
  program: 'M12 3.5 20.5 8 12 12.5 3.5 8zM3.5 12l8.5 4.5 8.5-4.5M3.5 16l8.5 4.5 8.5-4.5',
  proposals: 'M8.5 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM2.5 19c.5-3 2.7-4.5 6-4.5 1.2 0 2.2.2 3.1.6M13.5 17l2.5 2.5 5-5.5',
  refresh: 'M19 8.5A8 8 0 1 0 20 12M19.5 4v4.5H15',
  refund: 'M4.5 9.5h10a5 5 0 0 1 0 10h-6M8.5 5 4 9.5 8.5 14',
  requests: 'M3.5 5.5h17v13h-17zM7 10l2.5 2L7 14M12 14.5h4.5',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20.5 20.5',
  settings: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.8 7.5 7 9 4.2-1.5 7-4.7 7-9V6zM9 12l2.2 2.2L15 10',
  store:
    'M4.5 10v10h15V10M3.5 9.5 5.5 4h13l2 5.5c0 3-4.2 3-4.25 0 0 3-4.25 3-4.25 0 0 3-4.25 3-4.25 0 0 3-4.25 3-4.25 0zM10 20v-5.5h4V20',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  system: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  team: 'M12 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5.5 19.5c.6-3.3 3.1-5 6.5-5s5.9 1.7 6.5 5M5 6.5v4M3 8.5h4',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.5 11v5M13.5 11v5',
  webhook:
    'M12 3.5a3.5 3.5 0 0 0-1.5 6.7L7.5 15M12 3.5a3.5 3.5 0 0 1 3.3 4.7M6 14a3.3 3.3 0 1 0 3 4.7h6.5M18 14.5a3.3 3.3 0 1 1-2.2 5.7M13.5 8.5l3 5.3a3.3 3.3 0 0 1 1.5.200',
} as const

export type IconName = keyof typeof drawings

/** These are mirrored in right-to-left text. */
const pointing: ReadonlySet<IconName> = new Set<IconName>(['arrow', 'back', 'chevron', 'deliveries', 'out', 'refund'])

/** A drawing that screen readers skip; the text beside it, or the label of its button, says what it means. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className={pointing.has(name) ? `${classes.icon} ${classes.pointing}` : classes.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawings[name]} />
    </svg>
  )
}

/** The product's logo: the rhombic dot (nuqta) of a reed pen. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg className={classes.mark} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12.6 1.9 22.4 10.4 11.4 22.1 1.6 13.6z" />
    </svg>
  )
}
