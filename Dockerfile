# The bot alone, without development tools. Build: docker build -t gpu-desk .   Run: docker run --env-file .env gpu-desk
FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml requirements.lock README.md ./
COPY bot bot
COPY locales locales
COPY alembic alembic
RUN python -m venv /app && /app/bin/pip install --no-cache-dir -c requirements.lock .

FROM python:3.11-slim
COPY --from=build /app /app
RUN useradd --create-home desk && mkdir /data && chown desk /data
USER desk
WORKDIR /data
ENV PATH=/app/bin:$PATH BOT_DATABASE_URL=sqlite+aiosqlite:////data/gpu-desk.db
VOLUME /data
ENTRYPOINT ["gpu-desk"]
CMD ["run"]
