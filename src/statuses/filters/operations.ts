import { operations as keywords } from './keywords.ts'
import { showFilter, showFilters } from './show.ts'
import { showFiltersV1, showFilterV1 } from './show_v1.ts'
import { operations as statuses } from './statuses.ts'
import { changeFilter, createFilter, removeFilter } from './write.ts'
import { changeFilterV1, createFilterV1, removeFilterV1 } from './write_v1.ts'

export const operations = [
  showFilters,
  showFilter,
  createFilter,
  changeFilter,
  removeFilter,
  ...keywords,
  ...statuses,
  showFiltersV1,
  showFilterV1,
  createFilterV1,
  changeFilterV1,
  removeFilterV1,
]
