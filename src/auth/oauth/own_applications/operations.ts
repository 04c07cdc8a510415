import { changeApplication, createApplication, makeSecret, makeToken, removeApplication } from './change.ts'
import { editApplication, newApplication, showApplications } from './pages.ts'

export const operations = [
  showApplications,
  newApplication,
  editApplication,
  createApplication,
  changeApplication,
  makeSecret,
  makeToken,
  removeApplication,
]
