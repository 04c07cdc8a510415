import { addAliasOnPage, removeAliasOnPage, showAliases } from './aliases.ts'
import { endRedirect, moveOnPage, redirectOnPage, showMigration } from './pages.ts'

export const operations = [
  showAliases,
  addAliasOnPage,
  removeAliasOnPage,
  showMigration,
  moveOnPage,
  redirectOnPage,
  endRedirect,
]
