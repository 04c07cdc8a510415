import { showFilter, showFilters } from './show.ts'
import { showFiltersV1, showFilterV1 } from './show_v1.ts'

export const operations = [showFilters, showFilter, showFiltersV1, showFilterV1]
