export { factsOf, type StatusFacts, type Visibility } from './facts.ts'
export { searchText, type StatusFragment } from './fragment.ts'
export { statusFragments } from './load.ts'
export { renderPublicStatus, renderStatus, renderStatuses, type RenderOptions } from './render.ts'
