// The rail: the views by section, the theme, the keys, the version.
import { dialog } from '../state/dialog';
import { info } from '../state/info';
import { href, place } from '../state/place';
import { theme, turnTheme } from '../state/theme';
import { views, viewOf } from '../views/index';

function Mark() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#14181f" />
      <path d="M6 8h9v4H6zm11 0h4v4h-4zM6 20h4v4H6zm7 0h13v4H13z" fill="#23a67a" />
      <path d="M9 14h14v4H9z" fill="#e69f00" />
    </svg>
  );
}

export function Rail() {
  const here = viewOf(place.value.view)?.under ?? place.value.view;
  const all = views();
  const sections = [...new Set(all.map((v) => v.section).filter(Boolean))];
  return (
    <nav class="rail" aria-label="Views">
      <a class="brand" href={href('overview')}>
        <Mark />
        <span>strobe</span>
      </a>
      {sections.map((s) => (
        <div key={s}>
          <h2>{s}</h2>
          <ul>
            {all
              .filter((v) => v.section === s)
              .map((v) => (
                <li key={v.route}>
                  <a href={href(v.route)} aria-current={v.route === here ? 'page' : undefined}>
                    <svg
                      viewBox="0 0 16 16"
                      fill="none"
                      stroke="currentColor"
                      stroke-width="1.6"
                      stroke-linecap="round"
                      stroke-linejoin="round"
                      aria-hidden="true"
                    >
                      <path d={v.icon} />
                    </svg>
                    <span>{v.name}</span>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
      <div class="foot">
        <button
          type="button"
          class="button quiet"
          onClick={turnTheme}
          aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
          title="Light or dark"
        >
          {theme.value === 'dark' ? '☀' : '☾'}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => (dialog.value = 'help')}
          aria-label="Keys"
          title="Keys (?)"
        >
          ?
        </button>
        <span>{info.value ? info.value.version : ''}</span>
      </div>
    </nav>
  );
}
