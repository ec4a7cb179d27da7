// In one process: the first synthesis costs several times what each further one does.
import './suites/deployed-functions.ts';
import './suites/rules.ts';
import './suites/settings.ts';
