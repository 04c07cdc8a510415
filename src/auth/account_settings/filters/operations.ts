import { changeFilterOnPage, createFilterOnPage, removeFilterOnPage } from './change.ts'
import { editFilterPage, listFilters, newFilter } from './show.ts'

export const operations = [
  listFilters,
  newFilter,
  editFilterPage,
  createFilterOnPage,
  changeFilterOnPage,
  removeFilterOnPage,
]
