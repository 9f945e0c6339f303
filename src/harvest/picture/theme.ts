/** Colours and fonts. One style sheet inside the picture serves light and dark backgrounds. */

interface Colours {
  readonly light: string
  readonly dark: string
}

const PLATFORM_COLOURS: Readonly<Record<string, Colours>> = {
  postgres: { light: '#3b6fd4', dark: '#6d9bf1' },
  bigquery: { light: '#c9721a', dark: '#e9a04b' },
  snowflake: { light: '#0f8f9f', dark: '#3fc1d0' },
  redshift: { light: '#8b3fb8', dark: '#bf83e4' },
  databricks: { light: '#d2452f', dark: '#f0806c' },
  mysql: { light: '#2f7f86', dark: '#6bb9bf' },
}

/** For platforms without a colour of their own, in the order in which they come. */
const SPARE_COLOURS: readonly Colours[] = [
  { light: '#7a5bd0', dark: '#a68df0' },
  { light: '#2f8f4e', dark: '#63c283' },
  { light: '#b83d72', dark: '#e67aa8' },
  { light: '#7d6a2a', dark: '#c4ae62' },
]

/** How full a box is of its platform's colour, from the first group to the last. */
export function tintOf(group: number, groups: number): number {
  return groups <= 1 ? 0.14 : 0.06 + (0.3 * group) / (groups - 1)
}

/** Class name of each platform, in the order given. */
export function platformClass(platforms: readonly string[], platform: string): string {
  return `p${platforms.indexOf(platform)}`
}

export function styleSheet(platforms: readonly string[]): string {
  const colours = coloursOf(platforms)
  const light = platformRules(colours.map((colour) => colour.light))
  const dark = platformRules(colours.map((colour) => colour.dark))
  return `${BASE}${LIGHT}${light}@media (prefers-color-scheme:dark){${DARK}${dark}}`
}

function coloursOf(platforms: readonly string[]): readonly Colours[] {
  let spare = 0
  return platforms.map((platform) => PLATFORM_COLOURS[platform] ?? SPARE_COLOURS[spare++ % SPARE_COLOURS.length]!)
}

function platformRules(colours: readonly string[]): string {
  return colours.map((colour, index) => `.p${index}{--c:${colour};color:${colour}}`).join('')
}

const BASE = [
  'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  '.card{stroke:currentColor}.tint{fill:currentColor;stroke:none}.bar{fill:currentColor}',
  '.dim{opacity:.62}.dim .card{stroke-opacity:.55}',
  '.name{font-weight:600}.title{font-weight:700}',
  '.edge{fill:none;stroke-width:1}.flow{fill:none;stroke:currentColor;stroke-width:1.8;stroke-opacity:.85}',
  '.row{fill:currentColor;fill-opacity:.13}.target{fill:currentColor;fill-opacity:1}',
  'g.box:hover .card{stroke-width:2.4}path:hover{stroke-width:3;stroke-opacity:1}',
].join('')

const LIGHT =
  '.ground{fill:#fbfcfd;stroke:#dfe4ea}.card{fill:#fff}.title,.name,.column{fill:#18212e}.place,.note{fill:#66738a}.edge{stroke:#c8d0db}.grey{color:#66738a}.on{fill:#fff}'
const DARK =
  '.ground{fill:#12171f;stroke:#2a3340}.card{fill:#171e28}.title,.name,.column{fill:#e8edf4}.place,.note{fill:#93a1b5}.edge{stroke:#333d4a}.grey{color:#93a1b5}.on{fill:#0d1117}'
