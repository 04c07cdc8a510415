import { acceptTerms } from './accept_terms.ts'
import { operations as automatedDeletion } from './automated_deletion/operations.ts'
import { operations as filters } from './filters/operations.ts'
import { operations as migration } from './migration/operations.ts'
import { operations as profile } from './profile/operations.ts'
import { confirmPassword } from './password_confirmation.ts'
import { redirects } from './redirects.ts'
import { styleOperation } from './settings_layout.ts'
import { operations as preferences } from './preferences/operations.ts'

export const operations = [
  acceptTerms,
  confirmPassword,
  styleOperation,
  ...redirects,
  ...profile,
  ...preferences,
  ...filters,
  ...automatedDeletion,
  ...migration,
]
